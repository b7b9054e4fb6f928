import { words } from '../words/words.ts'

export const signInTexts = words({
  es: {
    title: 'Entrar',
    thenTo: 'Entra para abrir la página.',
    email: 'Correo electrónico',
    password: 'Contraseña',
    forgotten: '¿La has olvidado?',
    signIn: 'Entrar',
    or: 'o',
    passkey: 'Usar una llave de acceso',
    continueWith: (name: string) => `Continuar con ${name}`,
    noAccount: '¿No tienes cuenta? Se entra por invitación de una organización.',
    code: 'Código de un solo uso',
    codeHint: 'Los seis dígitos de tu aplicación de autenticación.',
    backupCode: 'Código de recuperación',
    backupHint: 'Uno de los que guardaste al activar los códigos. Cada uno vale una vez.',
    useBackupCode: 'Usar un código de recuperación',
    useCode: 'Usar la aplicación',
    trust: 'No pedir un código en este navegador durante 30 días',
    back: 'Volver',
    providerFailed: 'El proveedor no ha completado la entrada. Inténtalo otra vez.',
    wait: (seconds: number) => `Demasiados intentos. Podrás probar otra vez dentro de ${clock(seconds)}.`,
  },
  en: {
    title: 'Sign in',
    thenTo: 'Sign in to open the page.',
    email: 'E-mail',
    password: 'Password',
    forgotten: 'Forgotten?',
    signIn: 'Sign in',
    or: 'or',
    passkey: 'Use a passkey',
    continueWith: (name: string) => `Continue with ${name}`,
    noAccount: 'No account? People join by invitation of their organization.',
    code: 'One-time code',
    codeHint: 'The six digits of your authenticator.',
    backupCode: 'Backup code',
    backupHint: 'One of those that you stored when you turned on codes. Each works once.',
    useBackupCode: 'Use a backup code',
    useCode: 'Use the authenticator',
    trust: 'Do not ask this browser for a code for 30 days',
    back: 'Back',
    providerFailed: 'The provider did not complete the sign-in. Try again.',
    wait: (seconds: number) => `Too many tries. You can try again in ${clock(seconds)}.`,
  },
})

/** Minutes and seconds: `4:05`. */
function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
