import * as z from 'zod'

/** Adds an issue at a field of the value being checked; without a path, at the value itself. */
export function addIssue(context: z.core.$RefinementCtx, message: string, path: (string | number)[] = []): void {
  context.addIssue({ code: 'custom', path, message })
}

/** Adds an issue, and returns the placeholder by which zod ends a transform. */
export function reject(context: z.core.$RefinementCtx, message: string, path: string[] = []): never {
  addIssue(context, message, path)
  return z.NEVER
}

/** Error option of objects: replaces zod's message for values of another type only. */
export const orNotAnObject = {
  error: ({ code }: { code?: string }) => (code === 'invalid_type' ? 'must be an object' : undefined),
}

/** Cuts text that is quoted in a message. */
export function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
