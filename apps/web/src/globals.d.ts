interface Window {
  /** Of this page's content security policy; styles made at run time carry it. */
  __nonce__?: string
  /** Answers to what index.html has asked already, by their paths. */
  __asked__?: Record<string, Promise<Response>>
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
