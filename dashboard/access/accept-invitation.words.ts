import { words } from '../words/words.ts'

export const invitationTexts = words({
  es: {
    title: 'Invitación',
    reading: 'Leyendo la invitación',
    join: (organization: string) => `Unirte a ${organization}`,
    invited: 'La invitación es para',
    noSecret: 'Falta el secreto de la invitación. Abre otra vez el enlace del correo.',
    askAgain: 'Pide a quien te invitó que la envíe otra vez: cada enlace vale una vez y durante siete días.',
    toSignIn: 'Entrar',
    accept: 'Aceptar y entrar',
    name: 'Tu nombre',
    newPassword: 'Contraseña',
    password: 'Contraseña de tu cuenta',
    hasAccount: 'Esta dirección ya tiene una cuenta en este servidor.',
    otherPerson: (email: string) => `Has entrado como ${email}, y la invitación es para otra dirección.`,
    signOut: 'Salir y aceptar con la otra dirección',
  },
  en: {
    title: 'Invitation',
    reading: 'Reading the invitation',
    join: (organization: string) => `Join ${organization}`,
    invited: 'The invitation is for',
    noSecret: 'The secret of the invitation is missing. Open the link in the mail again.',
    askAgain: 'Ask the person who invited you to send it again: each link works once and for seven days.',
    toSignIn: 'Sign in',
    accept: 'Accept and sign in',
    name: 'Your name',
    newPassword: 'Password',
    password: 'Password of your account',
    hasAccount: 'This address already has an account on this server.',
    otherPerson: (email: string) =>
      `You are signed in as ${email}, and the invitation is for another address.`,
    signOut: 'Sign out and accept with the other address',
  },
})
