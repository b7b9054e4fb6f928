import { useNavigate } from '@tanstack/react-router'
import { listMembers, removeMember } from '#contract/identity/organization.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Member } from './member.ts'
import { memberTexts } from './members.words.ts'

/** Asks before a member is removed, or before the person leaves. */
export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const text = useWords(memberTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { caller, name } = useOrganization()
  const isOwn = member.personId === caller.person.id
  const remove = useAction(removeMember, { refreshes: isOwn ? [] : [listMembers] })
  return (
    <Confirm
      title={isOwn ? text.leaveQuestion(name) : text.removeQuestion(member.name, name)}
      action={isOwn ? text.leaveAction : text.removeAction}
      isDangerous
      isOpen
      onClose={onClose}
      isBusy={remove.isPending}
      error={remove.error && <Notice kind="danger">{textOfError(remove.error, language)}</Notice>}
      onConfirm={() =>
        remove.mutate(
          { params: { personId: member.personId } },
          {
            onSuccess: () => {
              onClose()
              if (isOwn) return void navigate({ to: '/me' })
              showToast({ text: text.removed(member.name) })
            },
          },
        )
      }
    >
      {isOwn ? text.leaveAbout : text.removeAbout}
    </Confirm>
  )
}
