// Calls between the page and its workers: a promise for each, with progress on the way.

/** What a page calls. `worker.call(name, arguments, onProgress)` gives a promise. */
export class Caller {
  #url; #worker; #open = new Map(); #next = 1; #broken = null;

  constructor(url) { this.#url = url; this.#start(); }

  #start() {
    this.#broken = null;
    this.#worker = new Worker(this.#url, { type: "module" });
    this.#worker.onmessage = ({ data }) => {
      const call = this.#open.get(data.id);
      if (!call) return;
      if (data.progress) return call.onProgress?.(...data.progress);
      this.#open.delete(data.id);
      if (data.error !== undefined) call.reject(new Error(data.error)); else call.resolve(data.result);
    };
    this.#worker.onerror = (event) => {
      const error = new Error(event.message || "A worker of this page could not be loaded. Load the page again.");
      // What has no message is no error of its own: there is no worker that could answer later calls.
      if (!event.message) this.#broken = error;
      this.#fail(error);
    };
  }

  #fail(error) {
    for (const call of this.#open.values()) call.reject(error);
    this.#open.clear();
  }

  call(name, values = {}, { onProgress, transfer = [] } = {}) {
    const id = this.#next++;
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject, onProgress });
      this.#worker.postMessage({ id, name, values }, transfer);
    });
  }

  get isBusy() { return this.#open.size > 0; }

  /** Ends whatever it does, at once. It knows nothing afterwards. */
  restart() {
    this.#worker.terminate();
    this.#fail(Object.assign(new Error("Cancelled."), { isCancelled: true }));
    this.#start();
  }
}

/**
 * What a worker offers. Each function gets its values and a function for progress. What they need to be `ready` is
 * waited for here: a worker that waits before it listens loses what it was told meanwhile.
 */
export function serve(functions, ready = null) {
  self.onmessage = async ({ data: { id, name, values } }) => {
    try {
      await ready;
      const result = await functions[name](values, (...progress) => self.postMessage({ id, progress }));
      const transfer = result?.transfer ?? [];
      self.postMessage({ id, result: transfer.length ? result.value : result }, transfer);
    } catch (error) {
      self.postMessage({ id, error: error?.message ?? String(error) });
    }
  };
}
