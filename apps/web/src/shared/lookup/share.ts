/** Hands the link to the phone's own share sheet; elsewhere copies it. */
export async function share(url: string, copy: (text: string) => Promise<boolean>): Promise<void> {
  const isPhone = window.matchMedia('(pointer: coarse)').matches
  if (!isPhone || !navigator.share) {
    await copy(url)
    return
  }
  try {
    await navigator.share({ url })
  } catch (error) {
    // Closing the sheet is no failure.
    if (!(error instanceof DOMException && error.name === 'AbortError')) await copy(url)
  }
}
