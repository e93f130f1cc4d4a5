// Also fillers that count as letters, but not the marks that make a sign an emoji: https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
const invisible = /[\p{C}\p{Zl}\p{Zp}\u2800]|(?![\ufe00-\ufe0f])\p{DI}/gu

/** One line of text without control, direction and other invisible characters, which could disguise it. */
export function toText(value: unknown, maxLength: number): string {
  if (typeof value !== 'string') return ''
  const text = value.slice(0, 1_000)
  // The browser builds the table of all such characters for the first text that may have one: most have none.
  const visible = /^[ -~]*$/.test(text) ? text : text.replace(invisible, '')
  return [...visible.trim()].slice(0, maxLength).join('').trim()
}

/** A picture within the text itself, of a kind that `<img>` shows without running anything in it. */
export function toDataImage(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return undefined
  const image = value.trim()
  return image.length < maxLength && /^data:image\/(svg\+xml|png|webp|jpeg|gif)[;,]/i.test(image) ? image : undefined
}

const maxAvatarLength = 16_000

/** An `https:` or `data:image/` address that an `<img>` may be given. */
export function toAvatar(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > maxAvatarLength) return undefined
  return /^https:\/\/[^\s"'<>\\]+$/i.test(value) ? value : toDataImage(value, maxAvatarLength)
}
