// The cell's course: functions that the worker calls, and the cell never sees.

let outcome;

const watchModule = (promise) => {
  // An own `constructor` keeps `then` from asking the cell's own for a species.
  defineProperty(promise, "constructor", { __proto__: null, value: undefined });
  apply(then, promise, [
    () => {
      outcome = { __proto__: null, failed: false };
    },
    (reason) => {
      outcome = { __proto__: null, failed: true, reason };
    },
  ]);
};

/** Ends the cell if its module has settled. */
const look = () => {
  if (outcome === undefined) return;
  if (outcome.failed) finishWith(outcome.reason);
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
