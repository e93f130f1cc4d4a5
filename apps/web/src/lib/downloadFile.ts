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
