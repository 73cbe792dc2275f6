import { OperatorError } from '../src/runtime/operator-error.ts';

// In the package, this module takes the place of the modules that `goty --project` loads.

throw new OperatorError('The package has no Firebase: use --project in the project itself.');
