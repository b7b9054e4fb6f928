import type { MarkdownPiece } from './markdown-worker.ts'
import workerUrl from './markdown-worker.ts?worker&url'

/** After so long without a tree, the text stays as its source. */
const parseMs = 1_000

type WorkerPolicy = { createScriptURL: (url: string) => string }
declare global {
  interface Window {
    trustedTypes?: { createPolicy: (name: string, rules: WorkerPolicy) => WorkerPolicy }
  }
}

// the page's policy allows this name alone, and it makes one address
const rules: WorkerPolicy = { createScriptURL: () => workerUrl }
const policy = window.trustedTypes?.createPolicy('patio-worker', rules) ?? rules

export type MarkdownReader = { next: () => void; stop: () => void }

/**
 * Reads a long Markdown text in a worker, so that the page stays responsive. `onPiece` gets the first piece of the
 * tree, and another one after each call of `next`. `onFailure` runs if the worker fails or has no tree after a second.
 */
export function readMarkdown(
  text: string,
  { onPiece, onFailure }: { onPiece: (piece: MarkdownPiece) => void; onFailure: () => void },
): MarkdownReader {
  const worker = new Worker(policy.createScriptURL(workerUrl), { type: 'module' })
  const timer = setTimeout(fail, parseMs)
  function stop(): void {
    clearTimeout(timer)
    worker.terminate()
  }
  function fail(): void {
    stop()
    onFailure()
  }
  worker.onmessage = ({ data }: MessageEvent<MarkdownPiece>) => {
    clearTimeout(timer)
    onPiece(data)
  }
  worker.onerror = fail
  worker.postMessage(text)
  return { next: () => worker.postMessage(undefined), stop }
}
