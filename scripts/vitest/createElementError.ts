/**
 * Makes the setting `getElementError` of Testing Library. An error of a query shows the page once its message is read.
 * Testing Library shows the page at once, and so each time that a wait asks in vain, of which only the last error is read.
 *
 * @param show - The function `prettyDOM` of Testing Library.
 */
export function createElementError(show: (element: Element) => string | false) {
  function create(message: string | null, container: Element): Error {
    const error = new Error()
    // Vitest shows the line of the first caller: the test.
    Error.captureStackTrace(error, create)
    error.name = 'TestingLibraryElementError'
    return Object.defineProperty(error, 'message', {
      configurable: true,
      get: () => [message, show(container)].filter(Boolean).join('\n\n'),
    })
  }
  return create
}
