import { deleteMessage, editMessage } from '#contract/chat/messages.ts'
import type { Message } from '#contract/chat/shapes.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { composerTexts } from '../composer/composer.words.ts'
import type { Audience } from '../composer/use-audience.ts'
import { messageTexts } from './message.words.ts'
import type { MessageQuestion as Question } from './use-message-actions.ts'

/** Asks before a message is deleted, or gets other readers, and says who these are. */
export function MessageQuestion({
  question: { kind, message },
  audience,
  onDone,
  onClose,
}: {
  question: Question
  audience: Audience
  /** With the message as it is then. */
  onDone: (message: Message) => void
  onClose: () => void
}) {
  const text = useWords(messageTexts)
  const { everybody } = useWords(composerTexts)
  const language = useLanguage()
  const remove = useAction(deleteMessage, { refreshes: [] })
  const edit = useAction(editMessage, { refreshes: [] })
  const params = { messageId: message.id }
  const words = {
    delete: { title: text.removeTitle, about: text.removeAbout, action: text.removeAction },
    show: {
      title: text.visibleTitle,
      about: text.visibleAbout(everybody(audience.people, audience.applications)),
      action: text.visibleAction,
    },
    hide: { title: text.privateTitle, about: text.privateAbout, action: text.privateAction },
  }[kind]
  function finish(changed: Message): void {
    onDone(changed)
    onClose()
  }
  const error = remove.error ?? edit.error
  return (
    <Confirm
      title={words.title}
      action={words.action}
      isOpen
      isDangerous={kind === 'delete'}
      isBusy={remove.isPending || edit.isPending}
      onClose={onClose}
      onConfirm={() =>
        kind === 'delete'
          ? remove.mutate({ params }, { onSuccess: finish })
          : edit.mutate(
              { params, body: { visibility: kind === 'show' ? 'VISIBLE' : 'PRIVATE' } },
              { onSuccess: finish },
            )
      }
      error={error && <Notice kind="danger">{textOfError(error, language)}</Notice>}
    >
      {words.about}
    </Confirm>
  )
}
