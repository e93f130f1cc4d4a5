// Matches fillers, which count as letters, but not the marks that turn a character into an emoji:
// https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
const invisible = /[\p{C}\p{Zl}\p{Zp}\u2800]|(?![\ufe00-\ufe0f])\p{DI}/gu

/** Returns one line of text without control, direction and other invisible characters, which can disguise a name. */
export function parseUntrustedText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return ''
  const text = value.slice(0, 1_000)
  // Most texts are plain ASCII, and `invisible` makes the browser build a large table on its first match.
  const visible = /^[ -~]*$/.test(text) ? text : text.replace(invisible, '')
  return [...visible.trim()].slice(0, maxLength).join('').trim()
}

/** Returns a `data:image/` address of a type that `<img>` shows without running scripts; `undefined` for others. */
export function parseDataImage(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const image = value.trim()
  return image.length < maxLength && /^data:image\/(svg\+xml|png|webp|jpeg|gif)[;,]/i.test(image) ? image : undefined
}

const maxAvatarLength = 16_000

/** Returns an `https:` or `data:image/` address for an `<img>`; `undefined` for others. */
export function parseAvatar(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxAvatarLength) return undefined
  return /^https:\/\/[^\s"'<>\\]+$/i.test(value) ? value : parseDataImage(value, maxAvatarLength)
}
