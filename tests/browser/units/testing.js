// A test is a name and a function that throws; test_units.py runs each as a case of its own.

/** @type {Map<string, () => unknown>} */
const tests = new Map();

/**
 * @param {string} name as test_units.py finds it in the source: a plain string
 * @param {() => unknown} run
 */
export function test(name, run) {
  if (tests.has(name)) throw new Error(`two tests are called "${name}"`);
  tests.set(name, run);
}

export function listTests() {
  return [...tests.keys()];
}

/**
 * Run a test on an empty page; what went wrong, or null.
 *
 * @param {string} name
 */
export async function runTest(name) {
  const run = tests.get(name);
  if (!run) return `there is no test "${name}"`;
  document.body.replaceChildren();
  localStorage.clear();
  history.replaceState(null, "", "/");
  try {
    await run();
    return null;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/**
 * @param {unknown} condition
 * @param {string} [message]
 */
export function ok(condition, message = "that is not so") {
  if (!condition) throw new Error(message);
}

/**
 * Both are the same, however deep.
 *
 * @param {unknown} actual
 * @param {unknown} expected
 */
export function equal(actual, expected) {
  const [found, wanted] = [write(actual), write(expected)];
  if (found !== wanted) throw new Error(`found ${found}\nwanted ${wanted}`);
}

/** @param {unknown} value */
function write(value) {
  return JSON.stringify(value, (_, part) => {
    if (part === undefined) return "(undefined)";
    if (part instanceof Map) return { map: [...part] };
    if (part instanceof Set) return { set: [...part] };
    return part;
  });
}

/** Let everything happen that waits for nothing but its turn. */
export async function settle() {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}
