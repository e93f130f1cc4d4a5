import { cleanup, configure, prettyDOM } from '@testing-library/react'
import { afterEach } from 'vitest'
import { createElementError } from '../../../scripts/vitest/createElementError.ts'
import { waitLimit } from '../../../scripts/vitest/limits.ts'

configure({
  asyncUtilTimeout: waitLimit,
  getElementError: createElementError(prettyDOM),
  // Let React render after an event as in a browser: inside an `act` that is not awaited, a lazy page may never
  // appear.
  eventWrapper: (dispatch) => dispatch(),
})

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

// So that tests can read what is announced.
const { attachShadow } = Element.prototype
Element.prototype.attachShadow = function (init) {
  return attachShadow.call(this, { ...init, mode: 'open' })
}

afterEach(() => {
  cleanup()
  localStorage.clear()
})
