const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML and for attributes in quotes. */
export const toHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
