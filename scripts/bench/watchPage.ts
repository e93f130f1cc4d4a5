/** An element by its CSS selector and text: `{ css: 'button', text: '^Connect' }`. `a >>> b`: b in the shadow root of a. */
export type Target = { css: string; text?: string }

/** Times on the page's clock, each taken just after the frame that showed the element. */
type Opened = { rows: number; settled: number }

type Watch = {
  /** Resolves to the time when an element is first visible. */
  seen: (target: Target) => Promise<number>
  /** Resolves to the times when a dialog's row is visible, and when it is opaque and has not moved for four frames. */
  opened: (row: Target) => Promise<Opened>
  /** Returns the point at which to click an element. */
  place: (target: Target) => { x: number; y: number } | undefined
  /** Times of the real clicks. */
  clicks: number[]
  /** Returns the longest time from an input to the next frame since the last call, in ms; 0 below 16. */
  slowest: () => number
  /** Returns the sum of the layout shifts without input. */
  shift: () => number
  largestPaint: () => number
  /** Times when the targets given before the page started were first visible. */
  first: Record<string, Promise<number>>
}

declare global {
  interface Window {
    watch: Watch
  }
}

/** Watches a page frame by frame. It is inserted as text before the page's own scripts, so it uses nothing outside. */
export function watchPage(targets: Record<string, Target>): void {
  if (window.top !== window) return

  const parentOf = (element: Element): Element | undefined =>
    element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host
  const opacity = (element: Element | undefined): number =>
    element ? Number(getComputedStyle(element).opacity) * opacity(parentOf(element)) : 1
  const isShown = (element: Element) => {
    const { width, height, top, left, bottom, right } = element.getBoundingClientRect()
    const isInView = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
    return (
      width > 1 &&
      height > 1 &&
      isInView &&
      getComputedStyle(element).visibility !== 'hidden' &&
      opacity(element) > 0.001
    )
  }
  const findAll = (css: string): Element[] => {
    const [first = '', ...inner] = css.split(' >>> ')
    return inner.reduce(
      (found, part) => found.flatMap(({ shadowRoot }) => [...(shadowRoot?.querySelectorAll(part) ?? [])]),
      [...document.querySelectorAll(first)],
    )
  }
  /** Returns the text of a node, including shadow roots. */
  const readText = (node: Node): string => {
    if (node instanceof Text) return node.data
    if (node instanceof HTMLStyleElement) return ''
    const shadow = node instanceof Element ? node.shadowRoot?.childNodes : undefined
    return [...(shadow ?? []), ...node.childNodes].map(readText).join('')
  }
  const textOf = (element: Element) => (element.localName.includes('-') ? readText(element) : element.textContent)
  const find = ({ css, text = '' }: Target) =>
    findAll(css).find(
      (element) =>
        new RegExp(text, 'i').test(`${textOf(element)} ${element.getAttribute('aria-label')}`.trim()) &&
        isShown(element),
    )
  const afterFrame = () =>
    new Promise<number>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now())
      port2.postMessage(0)
    })
  /** Calls `ask` before each frame is painted, until it returns a value. */
  const eachFrame = <answer>(ask: () => answer | undefined) =>
    new Promise<answer>((resolve) => {
      const look = () => {
        const answer = ask()
        if (answer === undefined) requestAnimationFrame(look)
        else resolve(answer)
      }
      requestAnimationFrame(look)
    })
  const seen = async (target: Target) => {
    await eachFrame(() => find(target))
    return afterFrame()
  }

  const clicks: number[] = []
  addEventListener('click', ({ isTrusted, timeStamp }) => isTrusted && clicks.push(timeStamp), true)

  let slowest = 0
  let shift = 0
  let largest = 0
  const observe = (type: string, take: (entry: never) => void, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => void take(entry as never))).observe({
      type,
      buffered: true,
      ...options,
    })
  observe(
    'event',
    ({ duration, interactionId }: { duration: number; interactionId: number }) => {
      if (interactionId) slowest = Math.max(slowest, duration)
    },
    { durationThreshold: 16 },
  )
  observe('layout-shift', ({ value, hadRecentInput }: { value: number; hadRecentInput: boolean }) => {
    if (!hadRecentInput) shift += value
  })
  observe('largest-contentful-paint', ({ startTime }: { startTime: number }) => {
    largest = startTime
  })

  window.watch = {
    seen,
    clicks,
    async opened(row) {
      const rows = seen(row)
      let last = ''
      let still = 0
      let since = 0
      await eachFrame(() => {
        const element = find(row)
        if (!element) return undefined
        const { x, y, width, height } = element.getBoundingClientRect()
        const now = [x, y, width, height, opacity(element)].map((value) => value.toFixed(2)).join()
        if (now !== last || opacity(element) < 0.99) still = 0
        else if (++still === 1) since = performance.now()
        last = now
        return still >= 4 || undefined
      })
      return { rows: await rows, settled: since }
    },
    place(target) {
      const element = find(target)
      element?.scrollIntoView({ block: 'nearest' })
      const box = element?.getBoundingClientRect()
      return box && { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    },
    slowest() {
      const found = slowest
      slowest = 0
      return found
    },
    shift: () => shift,
    largestPaint: () => largest,
    first: Object.fromEntries(Object.entries(targets).map(([name, target]) => [name, seen(target)])),
  }
}
