/** Hands a table to the browser's downloads. */
export function downloadCsv(name: string, ...parts: BlobPart[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads it after the click; how long that takes it does not say.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
