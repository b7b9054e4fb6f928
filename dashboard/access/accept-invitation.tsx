import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { acceptInvitationSignedIn, readInvitation } from '#contract/identity/invitations.ts'
import { acceptInvitation } from '#contract/identity/sessions.ts'
import { ActionForm, fieldOf } from '../data/action-form.tsx'
import { textOfError } from '../data/errors.ts'
import { callAccount } from '../data/session.ts'
import { readSignedInPerson, signInWithPassword, signOutHere } from '../data/sign-in.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { NewPassword } from '../parts/new-password.tsx'
import { Notice, Skeleton } from '../parts/states.tsx'
import { useLanguage, useWords } from '../words/words.ts'
import styles from './accept-invitation.module.css'
import { invitationTexts } from './accept-invitation.words.ts'
import { AccessFrame } from './access-frame.tsx'
import { takeSecret } from './secret-in-address.ts'

type Invitation = {
  organizationId: string
  organizationName: string
  email: string
  name: string | null
  isNew: boolean
}

/** Shows an invitation from its mail, and accepts it as a new person, with a password, or signed in. */
export function AcceptInvitation() {
  const text = useWords(invitationTexts)
  const language = useLanguage()
  const [secret] = useState(() => takeSecret('secret'))
  const invitation = useQuery({
    queryKey: ['invitation'],
    queryFn: () => callAccount(readInvitation, { body: { secret: secret! } }),
    enabled: secret !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const person = useQuery({ queryKey: ['signed-in-person'], queryFn: readSignedInPerson, staleTime: 0 })
  if (secret === undefined || invitation.error)
    return (
      <AccessFrame title={text.title}>
        <div className={styles.problem}>
          <Notice kind="warn">
            {secret === undefined ? text.noSecret : textOfError(invitation.error, language)}
          </Notice>
          <p>{text.askAgain}</p>
          <ButtonLink href="/sign-in">{text.toSignIn}</ButtonLink>
        </div>
      </AccessFrame>
    )
  if (!invitation.data || person.isPending)
    return (
      <AccessFrame title={text.title}>
        <Skeleton rows={3} label={text.reading} />
      </AccessFrame>
    )
  const { organizationName, email } = invitation.data
  return (
    <AccessFrame
      title={text.join(organizationName)}
      about={
        <>
          {text.invited} <strong>{email}</strong>
        </>
      }
    >
      <Answer invitation={invitation.data} secret={secret} signedInAs={person.data?.email} />
    </AccessFrame>
  )
}

type AnswerProps = { invitation: Invitation; secret: string; signedInAs: string | undefined }

function Answer({ invitation, secret, signedInAs }: AnswerProps) {
  const text = useWords(invitationTexts)
  const navigate = useNavigate()
  const { organizationId, email, isNew } = invitation
  const open = () =>
    navigate({ to: '/o/$organization', params: { organization: organizationId }, replace: true })

  if (signedInAs === email)
    return (
      <ActionForm
        onSubmit={async () => {
          await callAccount(acceptInvitationSignedIn, { body: { secret } })
          await open()
        }}
      >
        {({ isBusy }) => (
          <Button type="submit" kind="primary" size="large" isWide isBusy={isBusy}>
            {text.accept}
          </Button>
        )}
      </ActionForm>
    )
  if (signedInAs !== undefined)
    return (
      <ActionForm onSubmit={signOutHere}>
        {({ isBusy }) => (
          <>
            <Notice kind="warn">{text.otherPerson(signedInAs)}</Notice>
            <Button type="submit" size="large" isWide isBusy={isBusy}>
              {text.signOut}
            </Button>
          </>
        )}
      </ActionForm>
    )
  return (
    <ActionForm
      onSubmit={async ({ name, password = '' }) => {
        await callAccount(acceptInvitation, {
          body: { secret, password, ...(isNew && name !== undefined && { name }) },
        })
        const outcome = await signInWithPassword(email, password)
        // an account with a second factor enters its code on the sign-in page
        await (outcome === 'signed-in' ? open() : navigate({ to: '/sign-in', replace: true }))
      }}
    >
      {({ isBusy }) => (
        <>
          {isNew ? (
            <>
              <TextField
                {...fieldOf(acceptInvitation, 'name')}
                label={text.name}
                isRequired
                autoFocus
                autoComplete="name"
                defaultValue={invitation.name ?? ''}
              />
              <NewPassword
                name="password"
                label={text.newPassword}
                ownWords={[email, invitation.name ?? '']}
              />
            </>
          ) : (
            <TextField
              name="password"
              type="password"
              label={text.password}
              hint={text.hasAccount}
              isRequired
              autoFocus
              autoComplete="current-password"
            />
          )}
          <Button type="submit" kind="primary" size="large" isWide isBusy={isBusy}>
            {text.accept}
          </Button>
        </>
      )}
    </ActionForm>
  )
}
