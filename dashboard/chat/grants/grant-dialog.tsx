import { useState } from 'react'
import { type Grant, listPastGrants, putGrant } from '#contract/chat/grants.ts'
import type { GrantCapability } from '#contract/chat/shapes.ts'
import { listApplications } from '#contract/integrations/applications.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { Combo } from '../../parts/combo.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { type Channel, channelName } from '../channel.rules.ts'
import { grantDialogTexts, grantTexts } from './grants.words.ts'
import { grantReads } from './use-grant-actions.ts'

type Application = Pick<Grant['application'], 'id' | 'name' | 'slug'>

/** Gives an application access to a channel on behalf of the caller, or changes its access. */
export function GrantDialog({
  channel,
  grants,
  grant,
  onClose,
}: {
  channel: Channel
  /** Those that the channel has: an application has one at most. */
  grants: readonly Grant[]
  /** The one to change. */
  grant?: Grant
  onClose: () => void
}) {
  const text = useWords(grantDialogTexts)
  const { caller } = useOrganization()
  const [applicationId, setApplicationId] = useState(grant?.application.id)
  const [isMember, setMember] = useState(grant?.isMember ?? channel.role !== null)
  const [capabilities, setCapabilities] = useState<readonly GrantCapability[]>(grant?.capabilities ?? [])
  const [isChecked, setChecked] = useState(false)
  const put = useAction(putGrant, { refreshes: grantReads })
  const mayJoin = channel.role !== null
  const isNothing = !isMember && capabilities.length === 0
  const lacksApplication = applicationId === undefined
  const toggle = (capability: GrantCapability) => (isOn: boolean) =>
    setCapabilities([...capabilities.filter(one => one !== capability), ...(isOn ? [capability] : [])])

  async function send(): Promise<void> {
    setChecked(true)
    if (lacksApplication || isNothing) return
    const { application } = await put.mutateAsync({
      params: { id: channel.id, applicationId },
      body: { capabilities: [...capabilities], isMember },
    })
    showToast({ text: grant ? text.saved(application.name) : text.given(application.name) })
    onClose()
  }

  return (
    <Dialog
      title={grant ? text.changeTitle(grant.application.name) : text.giveTitle(channelName(channel))}
      isOpen
      onClose={onClose}
    >
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            {isChecked && lacksApplication && <Notice kind="danger">{text.choose}</Notice>}
            {isChecked && isNothing && <Notice kind="danger">{text.nothing}</Notice>}
            {grant ? (
              grant.grantedBy.id !== caller.person.id && (
                <Notice>{text.becomesYours(grant.grantedBy.displayName)}</Notice>
              )
            ) : (
              <ApplicationField
                channelId={channel.id}
                grants={grants}
                value={applicationId}
                onChange={setApplicationId}
              />
            )}
            <Checkbox
              isSelected={isMember}
              onChange={setMember}
              isDisabled={!mayJoin}
              hint={mayJoin ? text.isMemberHint : text.mustJoin}
            >
              {text.isMember}
            </Checkbox>
            <Checkbox
              isSelected={capabilities.includes('Crear y organizar canales')}
              onChange={toggle('Crear y organizar canales')}
              hint={text.organizesHint}
            >
              {text.organizes}
            </Checkbox>
            <Checkbox
              isSelected={capabilities.includes('Gestionar miembros')}
              onChange={toggle('Gestionar miembros')}
              hint={text.managesMembersHint}
            >
              {text.managesMembers}
            </Checkbox>
            <FormActions onLeave={onClose} action={grant ? text.save : text.give} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** The applications without access. Those who may not list applications choose among the ones that had it before. */
function ApplicationField({
  channelId,
  grants,
  value,
  onChange,
}: {
  channelId: string
  grants: readonly Grant[]
  value: string | undefined
  onChange: (id: string | undefined) => void
}) {
  const text = useWords(grantDialogTexts)
  const { reading } = useWords(grantTexts)
  const mayList = useMay()(listApplications)
  const all = useList(listApplications, { query: { status: 'ACTIVE', limit: 100 } }, { enabled: mayList })
  const former = useList(listPastGrants, { params: { id: channelId } }, { enabled: !mayList })
  const list = mayList ? all : former
  const known: Application[] = mayList ? all.items : former.items.map(({ application }) => application)
  const taken = new Set(grants.map(({ application }) => application.id))
  const free = [...new Map(known.map(one => [one.id, one])).values()].filter(({ id }) => !taken.has(id))
  if (list.isLoading) return <Skeleton rows={1} label={reading} />
  if (free.length === 0) return <Notice>{mayList ? text.noApplications : text.formerOnly}</Notice>
  return (
    <Combo
      label={text.application}
      hint={mayList ? text.applicationHint : text.formerOnly}
      items={free.map(({ id, name, slug }) => ({ id, label: name, hint: slug }))}
      value={value ?? null}
      onChange={id => onChange(id ?? undefined)}
    />
  )
}
