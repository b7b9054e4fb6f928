import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { uploadFiles } from '#contract/studio/files.ts'
import { studioLimits } from '#contract/studio/limits.ts'
import { codeOf, figureOf, needErrorTexts, textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { readAgain } from '../../data/read.ts'
import { useUpload } from '../../data/use-upload.ts'
import type { DroppedFile } from '../../parts/dropped-files.ts'
import type { UploadedFile } from '../../parts/file-drop.tsx'
import { sizeText } from '../../parts/number-text.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { isJunk, pathBelow, problemOfPath } from './file-paths.rules.ts'
import { fileTexts } from './files.words.ts'

type Upload = {
  id: string
  path: string
  file: File
  /** Between 0 and 1 while it is sent. */
  progress?: number
  error?: string
  /** There is a file at its path, which it may replace. */
  isTaken?: boolean
  /** Sending it again can help. */
  canRetry?: boolean
}

/** An upload in the queue, with the version that was open when a person chose the file. */
type Waiting = { upload: Upload; overwrite: boolean; params: { id: string; version: string } }

/** How many files are sent at once. */
const together = 2
let nextId = 1

/**
 * Uploads to a version: each file by itself, so that each has its progress, and one that fails is sent again alone. They go
 * on when the person leaves the screen.
 */
export function useUploads(params: { id: string; version: string }, taken: ReadonlySet<string>) {
  const text = useWords(fileTexts)
  const language = useLanguage()
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const upload = useUpload(uploadFiles)
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const queue = useRef<Waiting[]>([])
  const running = useRef(new Map<string, AbortController>())
  const done = useRef(0)

  const change = (id: string, changed: Partial<Upload>) =>
    setUploads(all => all.map(one => (one.id === id ? { ...one, ...changed } : one)))
  const drop = (id: string) => setUploads(all => all.filter(one => one.id !== id))

  function add(files: readonly DroppedFile[], folder: string): void {
    const wanted = files.filter(({ path }) => !isJunk(path))
    if (wanted.length < files.length)
      showToast({ kind: 'info', text: text.junk(files.length - wanted.length) })
    const added = wanted.map(({ path, file }) => checked(pathBelow(folder, path), file))
    setUploads(all => [...all, ...added])
    for (const one of added)
      if (one.error === undefined) queue.current.push({ upload: one, overwrite: false, params })
    pump()
  }
  function checked(path: string, file: File): Upload {
    const upload = { id: String(nextId++), path, file }
    const problem = problemOfPath(path)
    if (problem) return { ...upload, error: text[problem] }
    if (file.size > studioLimits.versionBytes)
      return { ...upload, error: text.tooLarge(sizeText(studioLimits.versionBytes, language)) }
    if (taken.has(path)) return { ...upload, error: text.exists, isTaken: true }
    return { ...upload, progress: 0 }
  }
  function again(one: Upload): void {
    const { error: _error, isTaken = false, canRetry: _canRetry, ...fresh } = one
    const waiting = { ...fresh, progress: 0 }
    setUploads(all => all.map(other => (other.id === one.id ? waiting : other)))
    queue.current.push({ upload: waiting, overwrite: isTaken, params })
    pump()
  }
  function pump(): void {
    while (running.current.size < together) {
      const next = queue.current.shift()
      if (!next) return
      const stop = new AbortController()
      running.current.set(next.upload.id, stop)
      void send(next, stop.signal).finally(() => {
        running.current.delete(next.upload.id)
        pump()
        if (running.current.size === 0) void finish()
      })
    }
  }
  async function send(
    { upload: { id, path, file }, overwrite, params: into }: Waiting,
    signal: AbortSignal,
  ): Promise<void> {
    const form = new FormData()
    // the server reads the path before its file
    form.append('path', path)
    form.append('file', file)
    try {
      await upload(
        { params: into, query: overwrite ? { overwrite } : {} },
        { form, signal, onProgress: progress => change(id, { progress }) },
      )
      done.current += 1
      drop(id)
    } catch (error) {
      if (signal.aborted) return drop(id)
      await needErrorTexts(language)
      setUploads(all => all.map(one => (one.id === id ? failed(one, error) : one)))
    }
  }
  function failed({ progress: _progress, ...one }: Upload, error: unknown): Upload {
    const code = codeOf(error)
    if (code === 'FILE_EXISTS') return { ...one, error: text.exists, isTaken: true }
    const limit = figureOf(error, 'limit')
    if (code === 'FILE_TOO_LARGE' && limit !== undefined)
      return { ...one, error: text.tooLarge(sizeText(limit, language)) }
    return { ...one, error: textOfError(error, language), canRetry: true }
  }
  async function finish(): Promise<void> {
    const count = done.current
    done.current = 0
    if (count === 0) return
    await readAgain(cache, [organizationId, uploadFiles.area])
    showToast({ text: text.uploaded(count) })
  }
  return {
    add,
    /** Takes one away: it is no longer sent. */
    remove(id: string): void {
      queue.current = queue.current.filter(({ upload }) => upload.id !== id)
      running.current.get(id)?.abort()
      drop(id)
    },
    shown: uploads.map(
      (one): UploadedFile => ({
        id: one.id,
        name: one.path,
        bytes: one.file.size,
        ...(one.progress !== undefined && { progress: one.progress }),
        ...(one.error !== undefined && { error: one.error }),
        ...((one.isTaken || one.canRetry) && {
          action: { label: one.isTaken ? text.replace : text.again, onPress: () => again(one) },
        }),
      }),
    ),
  }
}
