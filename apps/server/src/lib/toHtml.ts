const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML and quoted attributes. */
export const toHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
