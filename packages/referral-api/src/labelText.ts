/** How many labels an account, or a browser, keeps. */
export const labelLimit = 2_000
/** How many characters a label has at most. */
export const labelTextLimit = 60

/** What has no form of its own: control characters, marks of direction, halves of characters. */
const formless = /[\p{Cc}\p{Cf}\p{Cs}]/gu

/**
 * A label's text as it is kept: one line, without what cannot be seen or turns the text around it.
 *
 * @example
 * cleanLabelText(' Wang\u202e\n  Li ') // 'Wang Li'
 */
export const cleanLabelText = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(formless, '').normalize('NFC').replace(/\s+/g, ' ').trim()

/** As people count them: a rare Chinese character or an emoji is one. */
export const countCharacters = (text: string): number => [...text].length
