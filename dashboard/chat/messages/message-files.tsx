import { useState } from 'react'
import { addressOfChatFile, removeChatFile } from '#contract/chat/files.ts'
import type { Message, MessageFile } from '#contract/chat/shapes.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction, useCall, useRead } from '../../data/read.ts'
import { IconButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { late } from '../../parts/late.tsx'
import { sizeText } from '../../parts/number-text.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './message.module.css'
import { messageTexts } from './message.words.ts'

const Confirm = late(() => import('../../parts/confirm.tsx').then(confirm => confirm.Confirm))
/** The address of a file works for five minutes. */
const addressStaleMs = 240_000

/** The files of a message; its author may delete them one by one. */
export function MessageFiles({ message, ownId }: { message: Message; ownId: string }) {
  const text = useWords(messageTexts)
  const language = useLanguage()
  const [toRemove, setToRemove] = useState<MessageFile>()
  const remove = useAction(removeChatFile, { refreshes: [] })
  const isOwn = message.author.kind === 'USER' && message.author.id === ownId
  const open = useOpenFile()
  return (
    <div className={styles.files}>
      {message.attachments.map(file => {
        const tool = isOwn && (
          <IconButton
            icon="trash"
            size="small"
            label={text.removeFile(file.filename)}
            onPress={() => setToRemove(file)}
          />
        )
        return file.isImage ? (
          <Picture key={file.id} file={file} onOpen={() => void open(file)} tool={tool} />
        ) : (
          <span key={file.id} className={styles.file}>
            <button
              type="button"
              className={styles.fileName}
              aria-label={text.saveFile(file.filename)}
              onClick={() => void open(file)}
            >
              <Icon name="file" />
              <span>{file.filename}</span>
              <span className={styles.quiet}>{sizeText(file.size, language)}</span>
            </button>
            {tool}
          </span>
        )
      })}
      {toRemove && (
        <Confirm
          title={text.removeFileTitle(toRemove.filename)}
          action={text.removeAction}
          isOpen
          isDangerous
          isBusy={remove.isPending}
          onClose={() => setToRemove(undefined)}
          onConfirm={() =>
            remove.mutate(
              { params: { fileId: toRemove.id } },
              {
                onSuccess: () => setToRemove(undefined),
                onError: () => setToRemove(undefined),
                toastsFailure: true,
              },
            )
          }
        >
          {text.removeFileAbout}
        </Confirm>
      )}
    </div>
  )
}

/** A picture in a frame of one size, so that nothing moves when it arrives. */
function Picture({ file, onOpen, tool }: { file: MessageFile; onOpen: () => void; tool: React.ReactNode }) {
  const text = useWords(messageTexts)
  const { data } = useRead(addressOfChatFile, { params: { fileId: file.id } }, { staleMs: addressStaleMs })
  return (
    <span className={styles.picture}>
      <button type="button" aria-label={text.openFile(file.filename)} onClick={onOpen}>
        {data && <img src={data.url} alt="" loading="lazy" />}
      </button>
      {tool && <span className={styles.pictureTool}>{tool}</span>}
    </span>
  )
}

/** Opens a picture in a new tab, and saves every other file. */
function useOpenFile(): (file: MessageFile) => Promise<void> {
  const call = useCall()
  const language = useLanguage()
  return async ({ id, isImage }) => {
    // a tab that opens after the answer would be blocked
    const tab = isImage ? window.open('', '_blank') : null
    try {
      const { url } = await call(addressOfChatFile, { params: { fileId: id } })
      if (tab) tab.location.assign(url)
      else location.assign(url)
    } catch (error) {
      tab?.close()
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }
}
