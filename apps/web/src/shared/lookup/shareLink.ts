/** Opens the share sheet on phones; copies the link elsewhere. */
export async function shareLink(url: string, copy: (text: string) => Promise<boolean>): Promise<void> {
  const isPhone = window.matchMedia('(pointer: coarse)').matches
  if (!isPhone || !navigator.share) {
    await copy(url)
    return
  }
  try {
    await navigator.share({ url })
  } catch (error) {
    // The user closed the sheet.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copy(url)
  }
}
