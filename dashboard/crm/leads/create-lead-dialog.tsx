import { useRef, useState } from 'react'
import { createLead, findLeadByEmail } from '#contract/crm/leads.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { nameOfLead } from './lead.ts'
import { bodyOf, differingFields, emptyDraft, type LeadDraft } from './lead-draft.ts'
import { LeadFields } from './lead-fields.tsx'
import { leadFormTexts } from './lead-form.words.ts'

type Props = { onClose: () => void; onCreated?: (id: string) => void }

/** Creates a lead. It warns of an open lead with the same e-mail, which does not prevent the creation. */
export function CreateLeadDialog(props: Props) {
  const text = useWords(leadFormTexts)
  const stored = useDraft(createLead)
  // until the browser has looked for a draft
  if (!stored.isLoaded) return null
  return (
    <Dialog title={text.createTitle} isOpen onClose={props.onClose} keepsInput>
      <CreateLeadForm {...props} stored={stored} />
    </Dialog>
  )
}

function CreateLeadForm({
  onClose,
  onCreated,
  stored,
}: Props & { stored: ReturnType<typeof useDraft<typeof createLead>> }) {
  const text = useWords(leadFormTexts)
  const isSent = useRef(false)
  const [isRestored, setRestored] = useState(stored.values !== undefined)
  const [draft, setDraft] = useState<LeadDraft>(() => ({ ...emptyDraft, ...(stored.values as LeadDraft) }))
  const [email, setEmail] = useState('')
  const create = useAction(createLead)
  function change(next: LeadDraft): void {
    setDraft(next)
    if (!isSent.current) stored.save(next)
  }
  function discard(): void {
    stored.clear()
    setDraft(emptyDraft)
    setRestored(false)
  }
  return (
    <ActionForm
      onSubmit={async () => {
        const body = bodyOf(draft, differingFields(emptyDraft, draft))
        const { lead, duplicates } = await create.mutateAsync({ body })
        isSent.current = true
        stored.clear()
        const created = text.created(nameOfLead(lead))
        showToast({
          text: duplicates.length > 0 ? `${created} ${text.duplicates(duplicates.length)}` : created,
        })
        onClose()
        onCreated?.(lead.id)
      }}
    >
      {({ isBusy }) => (
        <>
          {isRestored && (
            <Notice>
              {text.restored}{' '}
              <Button size="small" onPress={discard}>
                {text.discard}
              </Button>
            </Notice>
          )}
          <LeadFields draft={draft} onChange={change} onEmailBlur={() => setEmail(draft.email.trim())} />
          {email !== '' && email === draft.email.trim() && <ExistingLead email={email} />}
          <FormActions onLeave={onClose} action={text.create} isBusy={isBusy} />
        </>
      )}
    </ActionForm>
  )
}

/** Warns if an open lead has the e-mail. That there is none is the usual answer, and shown as nothing. */
function ExistingLead({ email }: { email: string }) {
  const text = useWords(leadFormTexts)
  const { address } = useOrganization()
  const isEmail = /^\S+@\S+\.\S+$/.test(email)
  const { data } = useRead(findLeadByEmail, { query: { email } }, { enabled: isEmail })
  if (!data) return null
  return (
    <Notice kind="warn">
      {text.exists(nameOfLead(data), data.matches)}{' '}
      <TextLink href={`/o/${encodeURIComponent(address)}/leads/${data.id}`}>{text.existing}</TextLink>
    </Notice>
  )
}
