import * as z from 'zod'

/** Adds an issue at a field of the value being checked; without a path, at the value itself. */
export function addIssue(context: z.core.$RefinementCtx, message: string, path: (string | number)[] = []): void {
  context.addIssue({ code: 'custom', path, message })
}

/** Adds an issue and returns zod's placeholder that ends a transform. */
export function reject(context: z.core.$RefinementCtx, message: string, path: string[] = []): never {
  addIssue(context, message, path)
  return z.NEVER
}

/** Error option of objects. It replaces zod's message only for values of another type. */
export const orNotAnObject = {
  error: ({ code }: { code?: string }) => (code === 'invalid_type' ? 'must be an object' : undefined),
}

/** Shortens text that is quoted in a message. */
export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
