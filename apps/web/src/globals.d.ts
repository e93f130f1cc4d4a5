interface Window {
  /** Of this page's content security policy; styles made at run time carry it. */
  __nonce__?: string
  /** What has been written into the field before the application was there. */
  __typed__?: string
  /** What index.html has asked already, by paths in lower case. */
  __asked__?: Record<string, { answer: Promise<Response>; abort: () => void }>
}

interface Window {
  /** https://wicg.github.io/file-system-access/#api-showsavefilepicker */
  showSaveFilePicker?: (options: {
    suggestedName: string
    types: { accept: Record<string, string[]> }[]
  }) => Promise<FileSystemFileHandle>
}

interface FileSystemHandle {
  /** https://developer.mozilla.org/docs/Web/API/FileSystemHandle/remove */
  remove?: () => Promise<void>
}
