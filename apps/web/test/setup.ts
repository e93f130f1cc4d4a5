import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// Long enough for a busy machine.
configure({ asyncUtilTimeout: 15_000 })

// jsdom lacks these.
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
