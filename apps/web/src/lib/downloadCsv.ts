/** Saves a CSV through the browser's downloads. */
export function downloadCsv(name: string, ...parts: BlobPart[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Browsers read the URL some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
