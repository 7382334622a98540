// Results in the order in which they come (contract 9.6).

function as_settled(promises) {
  const first = { __proto__: null, next: undefined }; // a list: arrays can be tampered with
  let last = first;
  let open = 0;
  let closed = false;
  let wake;

  const settle = (result) => {
    open--;
    if (closed) return;
    last = last.next = { __proto__: null, result, next: undefined };
    wake?.();
  };
  const watch = async (index, promise) => {
    let result;
    try {
      result = { index, status: "fulfilled", value: await promise };
    } catch (reason) {
      result = { index, status: "rejected", reason };
    }
    settle(result);
  };

  const keyed = promises instanceof NativeMap;
  let position = 0;
  try {
    for (const entry of promises) {
      open++;
      if (keyed) watch(entry[0], entry[1]);
      else watch(position++, entry);
    }
  } catch (error) {
    closed = true;
    throw error;
  }

  return (async function* () {
    let node = first;
    try {
      while (open > 0 || node.next !== undefined) {
        if (node.next === undefined) {
          await new NativePromise((resolve) => {
            wake = resolve;
          });
        } else {
          node = node.next;
          yield node.result;
        }
      }
    } finally {
      closed = true;
    }
  })();
}

async function stream_settled(promises, emit) {
  if (typeof emit !== "function") throw new NativeTypeError("stream_settled requires a callback");
  for await (const result of as_settled(promises)) await emit(result);
}
