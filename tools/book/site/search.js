// The theme's search, from a file as well, and for those who type before it has begun.
{
  const READY = 1, QUERY = 2, RESULT = 3
  const here = document.currentScript.src
  const ThemesWorker = window.Worker
  let begin = (address) => Promise.resolve(new ThemesWorker(address))

  // From file:// a browser neither fetches search_index.json nor starts a worker from a file. So there the index and the
  // worker's text come as a script, which hooks.py writes after the build. Material 9 loads that script itself, for the index.
  if (location.protocol === "file:") {
    const loaded = new Promise((resolve) => {
      const script = document.createElement("script")
      script.src = new URL("search/search_index.js", here)
      script.onload = resolve
      document.head.append(script)
    })
    window.__search = { index: loaded.then(() => window.__index) }
    begin = async () => {
      await loaded
      return new ThemesWorker(URL.createObjectURL(new Blob([window.__searchWorker], { type: "text/javascript" })))
    }
  }

  // The theme keeps one message while it waits for an answer: a letter typed then would push out the index. So until the
  // index is read, this answers each query at once, with nothing. When it is ready, the theme asks again.
  window.Worker = class extends EventTarget {
    constructor(address) {
      super()
      this.worker = begin(address)
      this.worker.then((worker) => (worker.onmessage = (event) => this.hear(event.data)))
    }
    hear(message) {
      this.ready ||= message.type === READY
      this.dispatchEvent(new MessageEvent("message", { data: message }))
    }
    postMessage(message) {
      if (message.type === QUERY && !this.ready) {
        queueMicrotask(() => this.hear({ type: RESULT, data: { items: [] } }))
      } else {
        this.worker.then((worker) => worker.postMessage(message))
      }
    }
  }
}
