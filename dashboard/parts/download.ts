/** Downloads a text as a file. */
export function downloadText(text: string, fileName: string, type = 'text/plain;charset=utf-8'): void {
  downloadBlob(new Blob([text], { type }), fileName)
}

/** Downloads bytes as a file. */
export function downloadBlob(blob: Blob, fileName: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = fileName
  link.click()
  // the browser has read the address by the end of the click's task
  setTimeout(() => URL.revokeObjectURL(link.href), 0)
}
