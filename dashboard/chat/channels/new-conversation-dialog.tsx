import { useState } from 'react'
import { createChannel, createPortalConversation, openDirectConversation } from '#contract/chat/channels.ts'
import { addChannelMember } from '#contract/chat/members.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { useWords } from '../../words/words.ts'
import { newConversationTexts } from './channels.words.ts'
import { type ChosenPerson, PeopleField } from './people-field.tsx'

type Kind = 'direct' | 'channel' | 'group' | 'portal'

/** Begins a conversation: with people, about a subject, or about a customer. */
export function NewConversationDialog({
  onClose,
  onOpened,
}: {
  onClose: () => void
  onOpened: (channelId: string) => void
}) {
  const text = useWords(newConversationTexts)
  const lacks = useWords(lacksTexts)
  const may = useMay()
  const [kind, setKind] = useState<Kind>('direct')
  const [people, setPeople] = useState<readonly ChosenPerson[]>([])
  const direct = useAction(openDirectConversation)
  const channel = useAction(createChannel)
  const portal = useAction(createPortalConversation)
  const kinds: readonly Kind[] = may(createChannel) ? ['direct', 'channel', 'group', 'portal'] : ['direct']
  const takesPeople = kind === 'direct' || may(addChannelMember)
  const personIds = people.map(({ id }) => id)

  async function submit(values: Readonly<Record<string, string>>): Promise<void> {
    const memberIds = personIds.length > 0 && may(addChannelMember) ? { memberIds: personIds } : {}
    const name = values.name ?? ''
    const created =
      kind === 'direct'
        ? await direct.mutateAsync({ body: { personIds } })
        : kind === 'portal'
          ? await portal.mutateAsync({
              body: { name, customerReference: values.customerReference ?? '', ...memberIds },
            })
          : await channel.mutateAsync({
              body: {
                type: kind === 'group' ? 'GROUP' : 'CHANNEL',
                name,
                ...(values.description?.trim() && { description: values.description.trim() }),
                ...(kind === 'channel' && { isDiscoverable: values.isDiscoverable !== undefined }),
                ...memberIds,
              },
            })
    onClose()
    onOpened(created.id)
  }
  return (
    <Dialog title={text.title} isOpen onClose={onClose}>
      <ActionForm lacks={kind === 'direct' && people.length === 0 && lacks.people} onSubmit={submit}>
        {({ isBusy }) => (
          <>
            {kinds.length > 1 && (
              <RadioGroup
                label={text.kind}
                value={kind}
                onChange={setKind}
                options={kinds.map(value => ({ value, label: text[value], hint: text[`${value}Hint`] }))}
              />
            )}
            {kind !== 'direct' && (
              <TextField
                {...fieldOf(kind === 'portal' ? createPortalConversation : createChannel, 'name')}
                label={text.name}
                autoComplete="off"
              />
            )}
            {kind === 'portal' && (
              <TextField
                {...fieldOf(createPortalConversation, 'customerReference')}
                label={text.reference}
                hint={text.referenceHint}
                autoComplete="off"
              />
            )}
            {(kind === 'channel' || kind === 'group') && (
              <TextField {...fieldOf(createChannel, 'description')} label={text.description} rows={2} />
            )}
            {kind === 'channel' && (
              <Checkbox name="isDiscoverable" value="true" hint={text.discoverableHint}>
                {text.discoverable}
              </Checkbox>
            )}
            {takesPeople && <PeopleField people={people} onChange={setPeople} />}
            <FormActions
              onLeave={onClose}
              action={kind === 'direct' ? text.open : text.create}
              isBusy={isBusy}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
