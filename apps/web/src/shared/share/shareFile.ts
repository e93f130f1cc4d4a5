import { downloadFile } from '../../lib/downloadFile.ts'

/**
 * Opens the share sheet with a file, or saves the file if the browser cannot share files. Returns the outcome; a
 * closed sheet is not a failure.
 *
 * @see https://developer.mozilla.org/docs/Web/API/Navigator/share
 */
export async function shareFile(file: File, url: string, way: 'share' | 'save'): Promise<'ready' | 'failed'> {
  if (way === 'save' || !navigator.canShare?.({ files: [file] })) {
    downloadFile(file.name, file)
    return 'ready'
  }
  try {
    await navigator.share({ files: [file], url })
    return 'ready'
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? 'ready' : 'failed'
  }
}
