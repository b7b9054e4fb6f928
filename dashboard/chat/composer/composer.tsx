import { type DragEvent, useRef, useState } from 'react'
import type { OwnChannel } from '#contract/chat/channels.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { IconButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { late } from '../../parts/late.tsx'
import { useWords } from '../../words/words.ts'
import type { NewMessage } from '../messages/outbox.ts'
import styles from './composer.module.css'
import { composerTexts } from './composer.words.ts'
import { ComposerField, type FieldHandle } from './composer-field.tsx'
import { ComposerFiles } from './composer-files.tsx'
import { type Audience, useAllMembers } from './use-audience.ts'
import { type ComposedMessage, useComposedMessage } from './use-composed-message.ts'
import { nextVisibility } from './visibility.rules.ts'
import { VisibilityButton } from './visibility-button.tsx'

const Readers = late(() => import('./readers.tsx').then(readers => readers.Readers))

export type ComposerProps = {
  channel: OwnChannel
  threadId?: string | undefined
  audience: Audience
  placeholder: string
  onSend: (message: NewMessage) => void
  /** The up arrow in an empty field. */
  onEditLast: () => void
}

/**
 * Where a person writes. Its colour and its words say who will see the message, so that nobody writes to an outsider by
 * accident. The draft stays on this device, and its words on the server.
 */
export function Composer({ channel, threadId, audience, placeholder, onSend, onEditLast }: ComposerProps) {
  const text = useWords(composerTexts)
  const [isDropping, setDropping] = useState(false)
  const [isMentioning, setMentioning] = useState(false)
  const field = useRef<FieldHandle>(null)
  const message = useComposedMessage(channel, threadId, audience, onSend)
  const { visibility, readerIds, files, change } = message
  useAllMembers(audience, isMentioning || visibility === 'PRIVATE')

  function send(): void {
    if (!message.isReady) return
    message.send()
    field.current?.focus()
  }
  const cycle = () => change({ visibility: nextVisibility(visibility) })
  useShortcuts({
    ...(threadId === undefined && {
      m: { label: text.focusField, action: () => field.current?.focus() },
      i: { label: text.cycle, action: cycle },
    }),
  })
  function drop(event: DragEvent): void {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setDropping(event.type !== 'drop' && event.type !== 'dragleave')
    if (event.type === 'drop') files.add([...event.dataTransfer.files])
  }
  return (
    <div className={styles.place}>
      <section
        aria-label={placeholder}
        data-visibility={visibility}
        data-dropping={isDropping || undefined}
        className={styles.composer}
        onDragOver={drop}
        onDragLeave={drop}
        onDrop={drop}
      >
        {visibility === 'PRIVATE' && (
          <Readers
            people={audience.mentionable.filter(({ kind }) => kind === 'person')}
            readerIds={readerIds}
            onChange={ids => change({ readerIds: ids })}
          />
        )}
        <ComposerField
          ref={field}
          label={placeholder}
          value={message.value}
          mentionable={audience.mentionable.filter(
            ({ kind }) => kind === 'person' || visibility === 'VISIBLE',
          )}
          onChange={words => change({ content: words })}
          onMention={(words, { name, id }) =>
            change({ content: words, mentions: new Map(message.mentions).set(name, id) })
          }
          onMentioning={setMentioning}
          onSend={send}
          onCycle={cycle}
          onEditLast={onEditLast}
          onFiles={files.add}
        />
        <ComposerFiles files={files.files} onRemove={files.remove} />
        <div className={styles.bar}>
          <VisibilityButton
            visibility={visibility}
            audience={audience}
            readers={readerIds.map(id => audience.names.byId.get(id) ?? audience.names.unknown)}
            onChange={next => change({ visibility: next })}
          />
          <Note message={message} isDropping={isDropping} />
          <AttachButton onChoose={files.add} />
          <IconButton icon="mention" label={text.mention} onPress={() => field.current?.mention()} />
          <button
            type="button"
            className={styles.send}
            aria-label={text.send}
            title={text.send}
            disabled={!message.isReady}
            onClick={send}
          >
            <Icon name="arrowUp" />
          </button>
        </div>
      </section>
    </div>
  )
}

/** The note beside the buttons of the composer; as a rule it is empty. */
function Note({ message, isDropping }: { message: ComposedMessage; isDropping: boolean }) {
  const text = useWords(composerTexts)
  return (
    <span className={styles.note} role="status">
      {message.tooLong > 0
        ? text.tooLong(message.tooLong)
        : message.isFromElsewhere
          ? text.fromElsewhere
          : isDropping
            ? text.dropHere
            : ''}
    </span>
  )
}

/** The button that chooses files of this device. */
function AttachButton({ onChoose }: { onChoose: (files: File[]) => void }) {
  const { attach } = useWords(composerTexts)
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={attach}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <IconButton icon="attachment" label={attach} onPress={() => chooser.current?.click()} />
    </>
  )
}
