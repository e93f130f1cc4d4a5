import { downloadFile } from './downloadFile.ts'

/** Saves a CSV through the browser's downloads. */
export const downloadCsv = (name: string, ...parts: BlobPart[]): void =>
  downloadFile(name, new Blob(parts, { type: 'text/csv;charset=utf-8' }))
