/** Resolves to `undefined` if a value fails or takes longer than `patience` milliseconds. Its computation goes on. */
export async function withPatience<Value>(patience: number, value: Promise<Value>): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience)
  })
  return Promise.race([value.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}
