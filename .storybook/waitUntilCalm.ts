const quiet = 150
const limit = 5_000

/** Resolves once the page has not changed for a moment, so that the final state of a story is checked. */
export function waitUntilCalm(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      observer.disconnect()
      clearTimeout(timer)
      clearTimeout(last)
      resolve()
    }
    const last = setTimeout(end, limit)
    let timer = setTimeout(end, quiet)
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(end, quiet)
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  })
}
