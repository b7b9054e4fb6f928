import { useState } from 'react'
import { editMessage } from '#contract/chat/messages.ts'
import type { Message } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { fromWire, toWire } from '../composer/mention.rules.ts'
import type { Names } from './chat-text.rules.ts'
import styles from './message.module.css'
import { messageTexts } from './message.words.ts'

/** The field in place of the words of an own message. Enter saves, Escape leaves it as it was. */
export function MessageEditor({
  message,
  names,
  onClose,
}: {
  message: Message
  names: Names
  onClose: (saved?: Message) => void
}) {
  const text = useWords(messageTexts)
  const language = useLanguage()
  const [former] = useState(() => fromWire(message.content ?? '', names.byId))
  const [value, setValue] = useState(former.text)
  const [isAsking, setAsking] = useState(false)
  const edit = useAction(editMessage, { refreshes: [] })
  const content = toWire(value, former.mentions).trim()

  function save(): void {
    if (content === '' || edit.isPending) return
    if (content === message.content) onClose()
    else edit.mutate({ params: { messageId: message.id }, body: { content } }, { onSuccess: onClose })
  }
  /** Escape once asks if something would be lost; twice throws it away. */
  function leave(): void {
    if (value === former.text || isAsking) onClose()
    else setAsking(true)
  }
  return (
    <div className={styles.editor}>
      <textarea
        // the person has just asked to edit it
        ref={focusAtEnd}
        aria-label={text.editing}
        className={styles.editField}
        rows={2}
        maxLength={limits.messageContent}
        value={value}
        onChange={event => {
          setAsking(false)
          setValue(event.target.value)
        }}
        onKeyDown={event => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') leave()
          else if (event.key === 'Enter' && !event.shiftKey) save()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <div className={styles.editActions}>
        <Button
          size="small"
          kind="primary"
          isBusy={edit.isPending}
          isDisabled={content === ''}
          onPress={save}
        >
          {text.save}
        </Button>
        <Button size="small" kind="quiet" onPress={() => onClose()}>
          {text.cancel}
        </Button>
        <span className={styles.state} role="status">
          {edit.error ? textOfError(edit.error, language) : isAsking ? `${text.discardTitle} Esc` : ''}
        </span>
      </div>
    </div>
  )
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  if (!field || document.activeElement === field) return
  field.focus({ preventScroll: true })
  field.setSelectionRange(field.value.length, field.value.length)
}
