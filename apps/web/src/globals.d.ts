interface Window {
  /** Nonce of the content security policy, for styles created at run time. */
  __nonce__?: string
  /** Text typed into the prerendered field before the app started. */
  __typed__?: string
  /** Requests index.html has already started, by lower-case path. */
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
