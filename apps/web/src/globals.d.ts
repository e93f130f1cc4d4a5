interface Window {
  /** https://goober.js.org/faq: nonce of its styles */
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

/** Loads a script of the build. */
declare var __import: (path: string) => Promise<unknown>
