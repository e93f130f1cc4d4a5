/** Puts `variables` in the places of a message that are marked `{name}`; a mark without a value stays as it is. */
export function translate(message: string, variables: Record<string, string> = {}): string {
  return message.replace(/\{(\w+)\}/g, (mark, name: string) => variables[name] ?? mark)
}
