import { useState } from 'react'
import { inviteMany, listInvitations } from '#contract/identity/invitations.ts'
import type { Reply } from '#contract/route.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { permissionTexts } from '../permission.words.ts'
import { permissionsOf, roleOfKey } from '../role-change.ts'
import { useRoles } from '../use-roles.ts'
import { addressesIn } from './addresses.ts'
import { invitationListTexts } from './invitations.words.ts'
import styles from './invite-dialog.module.css'

type Results = Reply<typeof inviteMany>
const most = 50

type InviteDraft = ReturnType<typeof useDraft<typeof inviteMany>>
type InviteDialogProps = { onClose: () => void }

/** Invites many addresses to one role. Addresses that were typed and not sent come back when the dialog opens again. */
export function InviteDialog(props: InviteDialogProps) {
  const draft = useDraft(inviteMany)
  if (!draft.isLoaded) return null
  return <InviteForm {...props} draft={draft} />
}

/** Shows what would happen to each address, then sends, then the result of each. */
function InviteForm({ onClose, draft }: InviteDialogProps & { draft: InviteDraft }) {
  const text = useWords(invitationListTexts)
  const lacks = useWords(lacksTexts)
  const [input, setInput] = useState(draft.values?.emails?.join('\n') ?? '')
  const [roleKey, setRoleKey] = useState('MEMBER')
  const [results, setResults] = useState<Results>()
  const invite = useAction(inviteMany, { refreshes: [listInvitations] })
  const emails = addressesIn(input)
  const { role, roleId } = roleOfKey(roleKey)
  const send = (preview: boolean) =>
    invite
      .mutateAsync({ body: { emails, role, ...(roleId !== null && { roleId }), preview } })
      .then(replied => {
        setResults(replied)
        if (!replied.preview) draft.clear()
      })
  const invited =
    results?.items.filter(({ result }) => result === 'INVITED' || result === 'INVITED_AGAIN').length ?? 0

  return (
    <Dialog title={text.inviteTitle} isOpen onClose={onClose} keepsInput>
      {!results && (
        <ActionForm
          lacks={(emails.length === 0 && lacks.emails) || (emails.length > most && text.tooMany)}
          onSubmit={() => send(true)}
        >
          {({ isBusy }) => (
            <>
              <TextField
                label={text.addresses}
                hint={emails.length > most ? text.tooMany : text.addressesHint}
                rows={5}
                value={input}
                onChange={typed => {
                  setInput(typed)
                  draft.save({ emails: addressesIn(typed) })
                }}
                isRequired
                spellCheck="false"
              />
              <RoleField value={roleKey} onChange={setRoleKey} />
              <FormActions onLeave={onClose} action={text.check} isBusy={isBusy} />
            </>
          )}
        </ActionForm>
      )}
      {results && (
        <ActionForm onSubmit={() => send(false)}>
          {({ isBusy }) => (
            <>
              {invited === 0 && <Notice kind="warn">{text.nothing}</Notice>}
              <ResultList results={results} />
              <Actions>
                {results.preview && (
                  <Button kind="quiet" onPress={() => setResults(undefined)}>
                    {text.back}
                  </Button>
                )}
                {results.preview && invited > 0 ? (
                  <Button type="submit" kind="primary" isBusy={isBusy} autoFocus>
                    {text.send(invited)}
                  </Button>
                ) : (
                  <Button onPress={onClose} autoFocus>
                    {text.close}
                  </Button>
                )}
              </Actions>
            </>
          )}
        </ActionForm>
      )}
    </Dialog>
  )
}

/** The role of the invited people, with the permissions that it brings. */
function RoleField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const text = useWords(invitationListTexts)
  const language = useLanguage()
  const { options, customRoles } = useRoles()
  const permissions = permissionsOf(roleOfKey(value), customRoles)
  return (
    <div>
      <Choice label={text.role} options={options} value={value} onChange={onChange} />
      <details className={styles.permissions}>
        <summary>{text.canDo}</summary>
        <ul>
          {permissions.map(permission => (
            <li key={permission}>{permissionTexts[language][permission]}</li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function ResultList({ results }: { results: Results }) {
  const text = useWords(invitationListTexts)
  return (
    <ul className={styles.results}>
      {results.items.map(({ email, result, invitation }, at) => (
        // an address may appear twice in the text
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
        <li key={`${at} ${email}`} className={styles.result}>
          <span className={styles.email}>{email}</span>
          {result === 'INVITED' || result === 'INVITED_AGAIN' ? (
            invitation?.mailSent === false ? (
              <Status icon="errors" kind="warn">
                {text.notMailed}
              </Status>
            ) : (
              <Status icon={results.preview ? 'mail' : 'done'} kind={results.preview ? 'plain' : 'done'}>
                {results.preview ? text[result] : text[`sent${result}`]}
              </Status>
            )
          ) : (
            <Status
              icon={result === 'INVALID' ? 'failed' : 'dashed'}
              kind={result === 'INVALID' ? 'danger' : 'quiet'}
            >
              {text[result]}
            </Status>
          )}
        </li>
      ))}
    </ul>
  )
}
