/** `promise`, or the error of `createError` when it takes longer than `milliseconds`. What it answers later is dropped. */
export function within<T>(promise: Promise<T>, milliseconds: number, createError: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createError()), milliseconds)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
