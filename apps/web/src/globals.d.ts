interface Window {
  /** Nonce of the content security policy, for styles created at run time. */
  __nonce__?: string
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
