import { type DragEvent, useEffect, useRef, useState } from 'react'
import type { OwnChannel } from '#contract/chat/channels.ts'
import { limits } from '#contract/limits.ts'
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
import { fromWire, type Mentions, toWire } from './mention.rules.ts'
import { type Audience, useAllMembers } from './use-audience.ts'
import { type DraftMessage, useDraftMessage } from './use-draft-message.ts'
import { useFiles } from './use-files.ts'
import { nextVisibility } from './visibility.rules.ts'
import { VisibilityButton } from './visibility-button.tsx'

const Readers = late(() => import('./readers.tsx').then(readers => readers.Readers))
const noMentions: Mentions = new Map()

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
  const [value, setValue] = useState('')
  const [mentions, setMentions] = useState(noMentions)
  const [{ visibility, readerIds }, setReaders] = useState<Omit<DraftMessage, 'content'>>({
    visibility: 'VISIBLE',
    readerIds: [],
  })
  const [isDropping, setDropping] = useState(false)
  const [isFromElsewhere, setFromElsewhere] = useState(false)
  const [isMentioning, setMentioning] = useState(false)
  const field = useRef<FieldHandle>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const { found, save, clear } = useDraftMessage({ channelId: channel.id, threadId })
  const files = useFiles(channel.id)
  useAllMembers(audience, isMentioning || visibility === 'PRIVATE')

  // the draft comes once the names of its mentions are known, unless the person has begun to type
  const isFilled = useRef(false)
  const { isLoaded, names, applications } = audience
  useEffect(() => {
    if (!found || !isLoaded || isFilled.current) return
    isFilled.current = true
    const former = fromWire(found.content, names.byId)
    const isUnclear = found.isFromElsewhere && applications.length > 0
    setValue(now => now || former.text)
    setMentions(former.mentions)
    setFromElsewhere(isUnclear)
    // its readers are not known here: the words of a draft must not become visible by accident
    setReaders({
      visibility: isUnclear ? 'INTERNAL' : found.visibility,
      readerIds: found.readerIds,
    })
  }, [found, isLoaded, names, applications])

  const content = toWire(value, mentions)
  const tooLong = content.length - limits.messageContent
  const fileIds = files.files.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const hasWords = content.trim() !== ''
  const isReady = (hasWords || fileIds.length > 0) && tooLong <= 0 && !files.isUploading

  function change(part: Partial<DraftMessage> & { mentions?: Mentions }): void {
    isFilled.current = true
    const next = { visibility, readerIds, ...part }
    const nextMentions = part.mentions ?? mentions
    const words = part.content ?? value
    setValue(words)
    setMentions(nextMentions)
    setReaders({ visibility: next.visibility, readerIds: next.readerIds })
    save({ visibility: next.visibility, readerIds: next.readerIds, content: toWire(words, nextMentions) })
  }
  function send(): void {
    if (!isReady) return
    const words = hasWords ? content : files.files.map(({ name }) => name).join(', ')
    onSend({
      content: words.trim(),
      visibility,
      readerIds: visibility === 'PRIVATE' ? readerIds : [],
      fileIds,
    })
    clear({ visibility, readerIds })
    setValue('')
    setMentions(noMentions)
    setFromElsewhere(false)
    files.clear()
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
          value={value}
          mentionable={audience.mentionable.filter(
            ({ kind }) => kind === 'person' || visibility === 'VISIBLE',
          )}
          onChange={words => change({ content: words })}
          onMention={(words, { name, id }) =>
            change({ content: words, mentions: new Map(mentions).set(name, id) })
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
            readers={readerIds.map(id => names.byId.get(id) ?? names.unknown)}
            onChange={next => change({ visibility: next })}
          />
          <span className={styles.note} role="status">
            {tooLong > 0
              ? text.tooLong(tooLong)
              : isFromElsewhere
                ? text.fromElsewhere
                : isDropping
                  ? text.dropHere
                  : ''}
          </span>
          <input
            ref={chooser}
            type="file"
            multiple
            hidden
            aria-label={text.attach}
            onChange={({ target }) => {
              files.add([...(target.files ?? [])])
              target.value = ''
            }}
          />
          <IconButton icon="attachment" label={text.attach} onPress={() => chooser.current?.click()} />
          <IconButton icon="mention" label={text.mention} onPress={() => field.current?.mention()} />
          <button
            type="button"
            className={styles.send}
            aria-label={text.send}
            title={text.send}
            disabled={!isReady}
            onClick={send}
          >
            <Icon name="arrowUp" />
          </button>
        </div>
      </section>
    </div>
  )
}
