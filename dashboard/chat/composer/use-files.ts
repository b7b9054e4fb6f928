import { useRef, useState } from 'react'
import { removeChatFile, uploadChatFiles } from '#contract/chat/files.ts'
import { limits } from '#contract/limits.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useCall } from '../../data/read.ts'
import { useUpload } from '../../data/use-upload.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { composerTexts } from './composer.words.ts'

/** A file that waits for its message. `id` is that of the server once it is uploaded. */
export type WaitingFile = {
  key: string
  id?: string
  name: string
  bytes: number
  progress?: number
  error?: string
}

/** Uploads files one by one, so that each shows its progress and can be removed. */
export function useFiles(channelId: string) {
  const text = useWords(composerTexts)
  const language = useLanguage()
  const call = useCall()
  const upload = useUpload(uploadChatFiles)
  const [files, setFiles] = useState<readonly WaitingFile[]>([])
  const running = useRef(new Map<string, AbortController>())
  const change = (key: string, part: Partial<WaitingFile>) =>
    setFiles(former => former.map(file => (file.key === key ? { ...file, ...part } : file)))

  async function start(key: string, file: File): Promise<void> {
    const controller = new AbortController()
    running.current.set(key, controller)
    const form = new FormData()
    form.append('file', file, file.name)
    try {
      const { items } = await upload(
        { params: { id: channelId } },
        { form, onProgress: progress => change(key, { progress }), signal: controller.signal },
      )
      const [stored] = items
      setFiles(former =>
        former.map(({ progress: _, ...one }) =>
          one.key === key ? { ...one, ...(stored && { id: stored.id, name: stored.filename }) } : one,
        ),
      )
    } catch (error) {
      if (controller.signal.aborted) return
      await needErrorTexts(language)
      setFiles(former =>
        former.map(({ progress: _, ...one }) =>
          one.key === key ? { ...one, error: textOfError(error, language) } : one,
        ),
      )
    } finally {
      running.current.delete(key)
    }
  }
  return {
    files,
    isUploading: files.some(({ progress }) => progress !== undefined),
    add(added: readonly File[]) {
      const room = limits.filesPerMessage - files.length
      if (added.length > room) showToast({ kind: 'failed', text: text.tooMany(limits.filesPerMessage) })
      const fitting = added.slice(0, Math.max(0, room)).map(file => ({ key: crypto.randomUUID(), file }))
      setFiles(former => [
        ...former,
        ...fitting.map(({ key, file }) => ({ key, name: file.name, bytes: file.size, progress: 0 })),
      ])
      for (const { key, file } of fitting) void start(key, file)
    },
    remove({ key, id }: WaitingFile) {
      running.current.get(key)?.abort(new Error('removed'))
      setFiles(former => former.filter(file => file.key !== key))
      // without a message the server would delete it a day later
      if (id !== undefined) void call(removeChatFile, { params: { fileId: id } }).catch(() => {})
    },
    clear: () => setFiles([]),
  }
}
