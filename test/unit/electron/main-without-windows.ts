// Preloaded with `--import`: Electron's place is taken by what a command may use of it, before `ready`.
import { registerHooks } from 'node:module';

const electron = `
  const unwanted = (name) => () => { throw new Error('A command may not call ' + name); };
  export default {
    app: {
      isPackaged: false,
      commandLine: { appendSwitch() {} },
      getPath: (name) => process.env.WAYPOST_TEST_USER_DATA + '/' + name,
      exit: (code) => process.exit(code),
      whenReady: unwanted('whenReady'),
      requestSingleInstanceLock: unwanted('requestSingleInstanceLock'),
    },
    protocol: { registerSchemesAsPrivileged() {} },
  };
`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: `data:text/javascript,${encodeURIComponent(electron)}`, shortCircuit: true }
      : next(specifier, context),
});
