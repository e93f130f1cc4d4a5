/** Saves a file through the browser's downloads. */
export function downloadFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Browsers read the URL some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Saves a CSV through the browser's downloads. */
export const downloadCsv = (name: string, ...parts: BlobPart[]): void =>
  downloadFile(name, new Blob(parts, { type: 'text/csv;charset=utf-8' }))

/** Returns whether the page is shown by a chat app whose browser ignores downloads, without an error: WeChat or QQ. */
export const mayLoseFiles = (userAgent: string): boolean => /\bMicroMessenger\/|\bQQ\/\d/i.test(userAgent)
