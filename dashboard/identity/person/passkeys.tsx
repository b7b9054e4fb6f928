import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type AccountPasskey,
  addPasskey,
  deletePasskey,
  listPasskeys,
  needsFreshSignIn,
  readAccount,
  renamePasskey,
} from '../../data/account.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { hasPasskeys, signInWithPassword } from '../../data/sign-in.ts'
import { Button } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Icon } from '../../parts/icon.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Section } from '../../parts/page.tsx'
import { Problem } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './person.module.css'
import { personTexts } from './person.words.ts'

type Open = { kind: 'none' } | { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: AccountPasskey }

/** The passkeys of the person. */
export function Passkeys() {
  const text = useWords(personTexts)
  const language = useLanguage()
  const cache = useQueryClient()
  const passkeys = useQuery({ queryKey: ['account-passkeys'], queryFn: listPasskeys })
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  const reload = () => cache.invalidateQueries({ queryKey: ['account-passkeys'] })
  const nameOf = ({ name }: AccountPasskey) => name || text.passkeys
  return (
    <Section title={text.passkeys} about={text.passkeysAbout}>
      <div className={styles.state}>
        <p className={styles.quiet}>{passkeys.data && text.passkeyCount(passkeys.data.length)}</p>
        {hasPasskeys() && (
          <Button icon="plus" onPress={() => setOpen({ kind: 'add' })}>
            {text.addPasskey}
          </Button>
        )}
      </div>
      {passkeys.error && <Problem title={textOfError(passkeys.error, language)} />}
      <ul className={passkeys.data?.length ? styles.list : undefined}>
        {passkeys.data?.map(passkey => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            name={nameOf(passkey)}
            onRename={() => setOpen({ kind: 'rename', passkey })}
            onRemove={() => setOpen({ kind: 'remove', passkey })}
          />
        ))}
      </ul>
      {open.kind === 'add' && (
        <AddPasskey
          onClose={close}
          onAdded={async () => {
            close()
            await reload()
            showToast({ text: text.passkeyAdded })
          }}
        />
      )}
      {open.kind === 'rename' && (
        <RenamePasskey
          passkey={open.passkey}
          onClose={close}
          onRenamed={async () => {
            await reload()
            close()
          }}
        />
      )}
      {open.kind === 'remove' && (
        <Confirm
          title={text.removePasskey(nameOf(open.passkey))}
          action={text.removeAction}
          isDangerous
          isOpen
          onClose={close}
          onConfirm={async () => {
            await deletePasskey(open.passkey.id)
            close()
            await reload()
          }}
        >
          {text.removePasskeyAbout}
        </Confirm>
      )}
    </Section>
  )
}

/** A passkey in the list, with its menu. */
function PasskeyRow({
  passkey,
  name,
  onRename,
  onRemove,
}: {
  passkey: AccountPasskey
  name: string
  onRename: () => void
  onRemove: () => void
}) {
  const text = useWords(personTexts)
  return (
    <li className={styles.row}>
      <Icon name="passkey" />
      <span className={styles.rowText}>
        <span className={styles.rowName}>{name}</span>
        <span className={styles.quiet}>
          {passkey.backedUp ? text.synced : text.thisDevice}
          {passkey.createdAt && (
            <>
              {' · '}
              {text.added} <Time value={passkey.createdAt} />
            </>
          )}
        </span>
      </span>
      <MoreMenu
        label={text.actions(name)}
        groups={[
          {
            id: 'actions',
            entries: [
              { id: 'rename', label: text.rename, icon: 'edit', onAction: onRename },
              { id: 'remove', label: text.remove, icon: 'trash', isDangerous: true, onAction: onRemove },
            ],
          },
        ]}
      />
    </li>
  )
}

/** Asks for another name. */
function RenamePasskey({
  passkey,
  onClose,
  onRenamed,
}: {
  passkey: AccountPasskey
  onClose: () => void
  onRenamed: () => Promise<void>
}) {
  const text = useWords(personTexts)
  return (
    <Dialog title={text.passkeyName} isOpen onClose={onClose} size="small">
      <ActionForm
        onSubmit={async ({ name = '' }) => {
          await renamePasskey(passkey.id, name)
          await onRenamed()
        }}
      >
        {({ isBusy }) => (
          <>
            <TextField
              name="name"
              label={text.passkeyName}
              hint={text.passkeyNameHint}
              defaultValue={passkey.name ?? ''}
              maxLength={120}
              isRequired
            />
            <Actions>
              <Button type="submit" kind="primary" isBusy={isBusy}>
                {text.save}
              </Button>
            </Actions>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Asks for a name, and for the password when the person signed in more than a day ago. */
function AddPasskey({ onClose, onAdded }: { onClose: () => void; onAdded: () => Promise<void> }) {
  const text = useWords(personTexts)
  const account = useQuery({ queryKey: ['account'], queryFn: readAccount })
  const [asksPassword, setAsksPassword] = useState(false)
  return (
    <Dialog
      title={asksPassword ? text.freshTitle : text.addPasskeyTitle}
      isOpen
      onClose={onClose}
      size="small"
    >
      <ActionForm
        onSubmit={async ({ name = '', password }) => {
          if (password !== undefined && account.data) await signInWithPassword(account.data.email, password)
          try {
            if (await addPasskey(name)) await onAdded()
          } catch (error) {
            if (!needsFreshSignIn(error)) throw error
            setAsksPassword(true)
          }
        }}
      >
        {({ isBusy }) => (
          <>
            <TextField
              name="name"
              label={text.passkeyName}
              hint={text.passkeyNameHint}
              maxLength={120}
              isRequired
            />
            {asksPassword && (
              <TextField
                name="password"
                type="password"
                label={text.confirmPassword}
                hint={text.freshAbout}
                isRequired
                autoFocus
                autoComplete="current-password"
              />
            )}
            <FormActions onLeave={onClose} action={text.add} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
