import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A limit for what hangs, which a busy machine does not meet.
configure({ asyncUtilTimeout: 15_000 })

// jsdom has neither; the pages only ask whether they apply.
window.matchMedia ??= (media) => {
  const nothing = () => {}
  const list = {
    matches: false,
    media,
    addEventListener: nothing,
    removeEventListener: nothing,
    addListener: nothing,
    removeListener: nothing,
  }
  return list as unknown as MediaQueryList
}
window.scrollTo = () => {}
Element.prototype.scrollIntoView ??= () => {}
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

afterEach(() => {
  cleanup()
  localStorage.clear()
})
