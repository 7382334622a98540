// The cell's course: functions that the worker calls, and the cell never sees.

// How the module has settled, kept without an allocation: the heap may be full by then.
let settled = false;
let failed = false;
let reason;

const watchModule = (promise) => {
  // An own `constructor` keeps `then` from asking the cell's own for a species.
  defineProperty(promise, "constructor", { __proto__: null, value: undefined });
  apply(then, promise, [
    () => {
      settled = true;
    },
    (thrown) => {
      settled = failed = true;
      reason = thrown;
    },
  ]);
};

/** Ends the cell if its module has settled. */
const look = () => {
  if (!settled) return;
  if (failed) finishWith(reason);
  else host.finish(false, null);
};

const settleCall = (number, ok, json) => {
  const call = apply(mapGet, calls, [number]);
  if (call === undefined) return;
  apply(mapDelete, calls, [number]);
  let value;
  try {
    value = parse(json);
  } catch (error) {
    call.reject(error);
    return;
  }
  if (ok) call.resolve(value);
  else call.reject(value);
};

const fireTimer = (id) => {
  const callback = apply(mapGet, timers, [id]);
  if (callback === undefined) return;
  apply(mapDelete, timers, [id]);
  try {
    callback();
  } catch (error) {
    finishWith(error);
  }
};

host.takeControls(install, watchModule, look, settleCall, fireTimer);
