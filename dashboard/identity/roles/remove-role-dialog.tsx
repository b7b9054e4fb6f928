import { listMembers } from '#contract/identity/organization.ts'
import { deleteRole, listRoles } from '#contract/identity/roles.ts'
import { codeOf, textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Person } from '../../parts/person.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './remove-role-dialog.module.css'
import type { CustomRole } from './role.ts'
import { rolesTexts } from './roles.words.ts'

/** Deletes a custom role that nobody has; else shows who has it. */
export function RemoveRoleDialog({ role, onClose }: { role: CustomRole; onClose: () => void }) {
  const text = useWords(rolesTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  const members = useList(listMembers, { query: { roleId: role.id } }, { staleMs: 0 })
  const remove = useAction(deleteRole, { refreshes: [listRoles, listMembers] })
  const settings = `/o/${encodeURIComponent(address)}/settings`
  if (members.isLoading || members.items.length > 0)
    return (
      <Dialog
        title={members.isLoading ? text.removeQuestion(role.name) : text.inUse(role.name)}
        isOpen
        onClose={onClose}
        size="small"
      >
        {members.isLoading ? (
          <Skeleton rows={2} label={text.checking} />
        ) : (
          <>
            <p>{text.inUseAbout(members.total ?? members.items.length)}</p>
            <ul className={styles.people}>
              {members.items.map(({ personId, name, email }) => (
                <li key={personId} className={styles.line}>
                  <Person name={name} about={email} />
                </li>
              ))}
            </ul>
            <LoadMore {...members} shown={members.items.length} />
            <Actions>
              <ButtonLink kind="primary" href={`${settings}/members?role=CUSTOM`}>
                {text.toMembers}
              </ButtonLink>
            </Actions>
          </>
        )}
      </Dialog>
    )
  return (
    <Confirm
      title={text.removeQuestion(role.name)}
      action={text.removeAction}
      isDangerous
      isOpen
      onClose={onClose}
      isBusy={remove.isPending}
      error={
        remove.error && (
          <Notice kind="danger">
            {codeOf(remove.error) === 'ROLE_IN_USE' ? (
              <>
                {text.invited} <a href={`${settings}/invitations`}>{text.toInvitations}</a>
              </>
            ) : (
              textOfError(remove.error, language)
            )}
          </Notice>
        )
      }
      onConfirm={() =>
        remove.mutate(
          { params: { id: role.id } },
          {
            onSuccess: onClose,
            toast: () => text.removed(role.name),
            onError: () => members.reload(),
          },
        )
      }
    >
      {text.removeAbout}
    </Confirm>
  )
}
