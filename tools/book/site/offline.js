// From file:// a browser neither fetches search_index.json nor starts a worker from a file. So there the index and the worker's
// text come as a script, which hooks.py writes after the build. Material 9 loads that script itself, for the index.
if (location.protocol === "file:") {
  const here = document.currentScript.src
  const loaded = new Promise((resolve) => {
    const script = document.createElement("script")
    script.src = new URL("search/search_index.js", here)
    script.onload = resolve
    document.head.append(script)
  })
  window.__search = { index: loaded.then(() => window.__index) }

  // Stands in for the theme's worker: what it is told before its text is there waits.
  const FileWorker = window.Worker
  window.Worker = class extends EventTarget {
    constructor() {
      super()
      this.started = loaded.then(() => {
        const worker = new FileWorker(URL.createObjectURL(new Blob([window.__searchWorker], { type: "text/javascript" })))
        worker.onmessage = (event) => this.dispatchEvent(new MessageEvent("message", { data: event.data }))
        return worker
      })
    }
    postMessage(data) {
      this.started.then((worker) => worker.postMessage(data))
    }
  }
}
